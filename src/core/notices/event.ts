/** What an account can be told of. The notices of it are made by the database, with the change that they tell. */
export const noticeEvents = [
  'scan.changes',
  'schedule.missed',
  'batch.completed',
  'batch.failed',
  'batch.waiting_for_credits',
  'credits.low',
] as const;
export type NoticeEvent = (typeof noticeEvents)[number];
