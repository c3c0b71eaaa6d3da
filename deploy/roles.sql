-- The two roles and the database; the passwords come from postgres.env.
\getenv owner OWNER_PASSWORD
\getenv site SITE_PASSWORD
CREATE ROLE owner LOGIN PASSWORD :'owner';
CREATE ROLE site LOGIN PASSWORD :'site';
CREATE DATABASE console OWNER owner;
