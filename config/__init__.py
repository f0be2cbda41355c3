"""The only package that knows every app."""
