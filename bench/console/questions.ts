import {
  askForAds,
  askForBatch,
  askForCharts,
  askForEmails,
  askForFacets,
  askForRows,
  type Asked,
  type Query,
} from './ask-for.ts';
import { adQueries, emailQueries, newOrders, rowQueries, type AskedList, type Queries } from './queries.ts';

/** Request of a console page. */
export interface Question {
  readonly name: string;
  readonly asked: readonly Asked[];
}

/** Requests of the pages of results, e-mail and charts for a batch. */
export function questionsAbout(list: AskedList): readonly Question[] {
  const { batch } = list;
  return [
    { name: 'the batch', asked: [askForBatch(batch)] },
    { name: 'what to narrow down by', asked: [askForFacets(batch)] },
    { name: 'charts, 90 days', asked: [askForCharts(batch)] },
    { name: 'charts, a year', asked: [askForCharts(batch, { days: '366' })] },
    ...all('rows', rowQueries(list), (query) => askForRows(batch, query)),
    ...all('ads', adQueries(list), (query) => askForAds(batch, query)),
    ...all('e-mail', emailQueries(list), (query) => askForEmails(batch, query)),
  ];
}

/** Request of the first page in an order: each sorts all rows. */
export function newOrdersOf(batch: string): Question {
  return {
    name: 'rows: sorted for the first time',
    asked: newOrders.map((query) => askForRows(batch, query)),
  };
}

function all(what: string, queries: Queries, ask: (query: Query) => Asked): readonly Question[] {
  return Object.entries(queries).map(([name, values]) => ({
    name: `${what}: ${name}`,
    asked: values.map(ask),
  }));
}
