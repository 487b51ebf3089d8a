CREATE VIEW invented_apis AS SELECT 1 AS x;
