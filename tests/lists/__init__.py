"""Tests of long lists."""
