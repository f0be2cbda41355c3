-- What PostgreSQL may write of our statements: nothing. Their values hold the order of running deals, and hands.
-- As postgres, once, after the role was made: su postgres -c psql < docs/deploy/postgresql.sql
ALTER ROLE smazzata SET track_activities = off;               -- of a killed backend, of a deadlock, of a waiting lock
ALTER ROLE smazzata SET log_min_error_statement = 'panic';    -- of a statement that fails
ALTER ROLE smazzata SET log_error_verbosity = 'terse';        -- the row that broke a constraint
ALTER ROLE smazzata SET log_min_messages = 'log';            -- refusals: of a lock not waited for; the site logs its faults
ALTER ROLE smazzata SET log_statement = 'none';
ALTER ROLE smazzata SET log_min_duration_statement = -1;      -- slow ones, as a server may be set to
ALTER ROLE smazzata SET log_min_duration_sample = -1;
ALTER ROLE smazzata SET log_transaction_sample_rate = 0;
ALTER ROLE smazzata SET log_duration = off;
ALTER ROLE smazzata SET log_parameter_max_length = 0;
ALTER ROLE smazzata SET log_parameter_max_length_on_error = 0;
