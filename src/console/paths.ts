/**
 * The addresses of the console's pages, where `:name` stands for a part that varies. The server answers them all with the same document,
 * and every other address as it does for programs.
 */
export const pagePaths = [
  '/',
  '/sign-in',
  '/lists',
  '/lists/new',
  '/batches/:id',
  '/batches/:id/results',
  '/ads/:id',
  '/emails',
  '/changes',
  '/charts',
  '/schedules',
  '/schedules/new',
  '/schedules/:id',
  '/schedules/:id/edit',
  '/credits',
  '/account',
  '/account/keys',
  '/account/audit',
  '/sql',
  '/operator/accounts',
  '/operator/accounts/:name',
] as const;
