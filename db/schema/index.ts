export * from './access.ts';
export * from './accounts.ts';
export * from './ads.ts';
export * from './batches.ts';
export * from './credits.ts';
export * from './email.ts';
export * from './lookups.ts';
export { nightshift } from './schema.ts';
