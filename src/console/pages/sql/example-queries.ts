/** Question that people have, with a query that answers it. */
export interface ExampleQuery {
  readonly question: string;
  readonly query: string;
}

/** Examples, the frequent ones first. A test runs each of them. */
export const exampleQueries: readonly ExampleQuery[] = [
  {
    question: 'Who advertises most?',
    query: `select company_key, count(*) as ads, max(last_seen) as last_seen
from ads
group by company_key
order by ads desc
limit 20`,
  },
  {
    question: 'Which ads began in the last seven days?',
    query: `select company_key, advertiser_name, format, headline, start
from ads
where start >= current_date - 7
order by start desc
limit 100`,
  },
  {
    question: 'How many ads ran on each day?',
    query: `select day, company_key, ads_active
from ads_daily
where day > current_date - 30
order by company_key, day`,
  },
  {
    question: 'Which companies were not identified?',
    query: `select l.company_domain, l.company_name, b.name as batch
from lookups l
join batches b on b.batch = l.batch
where l.outcome = 'no_match' and l.is_latest
order by b.created_at desc, l.company_domain`,
  },
  {
    question: 'Which addresses must not be mailed, and why?',
    query: `select email, email_status, sub_status, checked_at
from email_results
where recommendation = 'do_not_send' and email is not null
order by checked_at desc`,
  },
  {
    question: 'What did each batch cost?',
    query: `select b.name, b.created_at, sum(l.credits) as credits
from batches b
join lookups l on l.batch = b.batch
group by b.batch, b.name, b.created_at
order by b.created_at desc`,
  },
];
