#!/bin/sh
# Run once by PostgreSQL's image, on an empty data folder: the site's role owns its database and nothing else.
set -eu
psql --username=postgres --set=ON_ERROR_STOP=1 --set=password="$SITE_PASSWORD" <<'SQL'
CREATE ROLE smazzata LOGIN PASSWORD :'password';
CREATE DATABASE smazzata OWNER smazzata ENCODING 'UTF8' TEMPLATE template0;
\i /etc/smazzata.sql
SQL
