-- DataForSEO bills what it returns, by its own client; the price of a unit stays as it was, and an operator's own line is not touched.
UPDATE nightshift.source_prices SET unit = '40 ads, or a part of them', note = 'live; empty answers count as one'
WHERE source = 'dataforseo' AND effective_from = '2026-01-01Z' AND unit = '40 ads asked for';
