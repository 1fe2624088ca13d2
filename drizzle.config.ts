import { defineConfig } from 'drizzle-kit';

/** `npm run migration -- --name <what>` compares `db/schema` with the newest migration and writes the next one. */
export default defineConfig({
  dialect: 'postgresql',
  schema: './db/schema/index.ts',
  out: './db/migrations',
  schemaFilter: ['nightshift'],
});
