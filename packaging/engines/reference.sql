-- The questions that the reference of the datasets describes, in the words of
-- Presto. A query ends with a semicolon; its first line has its name.

-- one-day cohort, active clients by day
SELECT submission_date_obj, approx_distinct(client_id) AS clients
FROM clients_daily
WHERE submission_date_obj > '20180228'
  AND submission_date_obj < '20180310'
  AND profile_creation_date LIKE '2018-03-01%'
GROUP BY 1
ORDER BY 1;

-- pings of a client and day, at most 50, by channel
SELECT normalized_channel,
       CASE WHEN pings_aggregated_by_this_row > 50 THEN 50 ELSE pings_aggregated_by_this_row END AS pings_per_day,
       approx_distinct(client_id) AS client_count
FROM clients_daily
WHERE submission_date_obj = '20180302'
  AND normalized_channel <> 'Other'
GROUP BY 1, 2
ORDER BY 2, 1;

-- main crashes by compositor
SELECT gfx_compositor, COUNT(*) AS crashes
FROM crash_summary
WHERE application = 'Firefox'
  AND (payload.processType IS NULL OR payload.processType = 'main')
  AND submission_date BETWEEN '2018-03-01' AND '2018-03-03'
GROUP BY gfx_compositor
ORDER BY crashes DESC, 1;

-- metadata of crashes
SELECT element_at(payload.metadata, 'StartupCrash') AS startup, payload.version, count(*) AS crashes
FROM crash_summary
GROUP BY 1, 2
ORDER BY 1, 2;

-- searches by source
SELECT source, SUM(count) AS searches
FROM main_summary
CROSS JOIN UNNEST(search_counts) AS t(engine, source, count)
WHERE submission_date_obj BETWEEN '20180301' AND '20180303'
  AND source IS NOT NULL
GROUP BY 1
ORDER BY 2 DESC, 1;

-- searches by source and engine, elements as rows, a part of the samples
SELECT search_count.engine, search_count.source, sum(search_count.count) AS searches
FROM main_summary
CROSS JOIN UNNEST(transform(search_counts, s -> ROW(s))) AS t(search_count)
WHERE submission_date_obj = '20180302'
  AND sample_id BETWEEN '10' AND '49'
GROUP BY 1, 2
ORDER BY 3 DESC, 1, 2;

-- popups that were offered
SELECT popup, sum(stats.offered) AS offered, sum(stats.dismissal_not_now) AS not_now
FROM main_summary
CROSS JOIN UNNEST(popup_notification_stats) AS t(popup, stats)
WHERE submission_date_obj = '20180301'
GROUP BY 1
ORDER BY 2 DESC, 1;

-- add-ons that are active
SELECT addon_id, is_system, count(DISTINCT client_id) AS clients
FROM main_summary
CROSS JOIN UNNEST(active_addons) AS t(addon_id, blocklisted, name, user_disabled, app_disabled, version, scope, type, foreign_install,
  has_binary_components, install_day, update_day, signed_state, is_system, is_web_extension, multiprocess_compatible)
WHERE submission_date_obj = '20180303'
GROUP BY 1, 2
ORDER BY 3 DESC, 1
LIMIT 20;

-- events
SELECT category, method, object, count(*) AS events
FROM main_summary
CROSS JOIN UNNEST(events) AS t(event_timestamp, category, method, object, string_value, map_values)
WHERE submission_date_obj = '20180302'
GROUP BY 1, 2, 3
ORDER BY 4 DESC, 1, 2, 3
LIMIT 20;

-- scalars of add-ons
SELECT element_at(uint_addon_scalars, 'no_such_scalar') AS value, count(*) AS pings
FROM main_summary
WHERE submission_date_obj = '20180302'
GROUP BY 1;

-- hours of a day, exact
SELECT submission_date_obj, sum(subsession_hours_sum) AS hours, max(active_hours_sum) AS most_active
FROM clients_daily
WHERE submission_date_obj BETWEEN '20180301' AND '20180303'
GROUP BY 1
ORDER BY 1;

-- three kinds of searches
SELECT engine, sum(sap) AS sap, sum("tagged-sap") AS tagged, sum("tagged-follow-on") AS follow_on
FROM search_clients_daily
WHERE submission_date_obj BETWEEN '20180301' AND '20180303'
GROUP BY engine
ORDER BY 2 DESC NULLS LAST, 1;

-- searches of countries
SELECT country, engine, sum(sap) AS sap, sum(tagged_sap) AS tagged, count(*) AS combinations
FROM search_aggregates
WHERE submission_date_obj BETWEEN '20180301' AND '20180303'
GROUP BY country, engine
ORDER BY 3 DESC NULLS LAST, 1, 2
LIMIT 50;

-- add-ons by name and whether they are system ones
SELECT is_system, name, count(DISTINCT client_id) AS clients
FROM addons
WHERE submission_date_obj = '20180302'
  AND sample_id IN ('2', '3', '4', '5', '6', '7', '8', '9')
GROUP BY 1, 2
ORDER BY 3 DESC, 2
LIMIT 10;

-- new profiles by place of installation
SELECT metadata.geo_country, environment.settings.attribution.source, count(*) AS profiles
FROM telemetry_new_profile_parquet
WHERE submission BETWEEN '20180301' AND '20180303'
GROUP BY 1, 2
ORDER BY 3 DESC, 1, 2;

-- updates by reason
SELECT payload.reason, application.displayVersion, count(*) AS pings
FROM telemetry_update_parquet
WHERE submission_date_obj BETWEEN '20180301' AND '20180303'
GROUP BY 1, 2
ORDER BY 3 DESC, 1, 2;
