"""URLs of users and businesses."""

from django.urls import path

from console.accounts.views import (
    account_details,
    businesses,
    not_me,
    passkeys,
    passwords,
    provider,
    saved_views,
    security,
    sign_in,
    sign_up,
    team,
)

app_name = "accounts"

urlpatterns = [
    path("sign-up/", sign_up.sign_up, name="sign_up"),
    path("sign-up/check-your-mail/", sign_up.check_mail, name="check_mail"),
    path("sign-up/confirm/<str:token>/", sign_up.confirm_email, name="confirm_email"),
    path("sign-in/", sign_in.sign_in, name="sign_in"),
    path("sign-in/code/", sign_in.code, name="code"),
    path("passkey-options/<str:purpose>/", sign_in.passkey_options, name="passkey_options"),
    path("sign-in/provider/", provider.provider, name="provider"),
    path("sign-in/provider/back/", provider.provider_back, name="provider_back"),
    path("sign-in/forgot/", passwords.forgot, name="forgot"),
    path("sign-in/reset/<str:person_id>/<str:token>/", passwords.reset, name="reset"),
    path("not-me/<str:token>/", not_me.not_me, name="not_me"),
    path("sign-out/", sign_in.sign_out, name="sign_out"),
    path("confirm/", sign_in.confirm, name="confirm"),
    path("resume/", sign_in.resume, name="resume"),
    path("account/", security.security, name="security"),
    path("account/details/", account_details.change_details, name="change_details"),
    path("account/email/", account_details.change_email, name="change_email"),
    path(
        "account/email/confirm/<str:token>/",
        account_details.confirm_new_email,
        name="confirm_new_email",
    ),
    path(
        "account/email/object/<str:token>/", account_details.object_to_email, name="object_to_email"
    ),
    path("account/password/", passwords.change, name="change_password"),
    path("account/authenticator/", security.authenticator, name="authenticator"),
    path("account/authenticator/begin/", security.begin_authenticator, name="begin_authenticator"),
    path("account/passkeys/add/", passkeys.add_passkey, name="add_passkey"),
    path(
        "account/passkeys/options/",
        passkeys.passkey_creation_options,
        name="passkey_creation_options",
    ),
    path(
        "account/passkeys/<str:passkey_id>/remove/", passkeys.remove_passkey, name="remove_passkey"
    ),
    path("account/recovery-codes/", security.recovery_codes, name="recovery_codes"),
    path("account/sessions/end-others/", security.end_others, name="end_others"),
    path("account/sessions/end-all/", security.end_all, name="end_all"),
    path("account/sessions/<str:session_id>/end/", security.end_one, name="end_one"),
    path("views/", saved_views.views, name="views"),
    path("views/save/", saved_views.save_view, name="save_view"),
    path("views/<str:view_id>/", saved_views.change_view, name="change_view"),
    path("invitation/<str:token>/", team.invitation, name="invitation"),
    path("invitation/<str:token>/accept/", team.accept, name="accept"),
    path("businesses/new/", businesses.new, name="business_new"),
    path("b/<str:business_id>/name/", businesses.rename, name="business_rename"),
    path("b/<str:business_id>/team/", team.team, name="team"),
    path("b/<str:business_id>/team/invite/", team.invite, name="invite"),
    path("b/<str:business_id>/team/<str:person_id>/", team.member, name="member"),
    path("b/<str:business_id>/team/<str:person_id>/remove/", team.remove, name="remove"),
    path(
        "b/<str:business_id>/invitations/<str:invitation_id>/withdraw/",
        team.withdraw,
        name="withdraw",
    ),
]
