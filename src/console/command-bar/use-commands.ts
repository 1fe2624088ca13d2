import { api, read } from '../api/client.ts';
import { can } from '../api/session.ts';
import { useLoad } from '../api/use-load.ts';
import { places } from '../places.ts';
import type { Command } from './commands.ts';

/** Commands of the signed-in user: pages and actions at once, then batches and schedules. */
export function useCommands(): readonly Command[] {
  const loaded = useLoad('commands', async (signal) => {
    const params = { query: { limit: 100 } };
    const [{ batches }, { schedules }] = await Promise.all([
      read(api.GET('/v1/batches', { params, signal })),
      read(api.GET('/v1/schedules', { params, signal })),
    ]);
    return [
      ...batches.map(({ id, name }) => ({ href: `/batches/${id}`, name, kind: 'Batch' })),
      ...schedules.map(({ id, name }) => ({ href: `/schedules/${id}`, name, kind: 'Schedule' })),
    ];
  });
  return [...actions(), ...pageCommands(), ...(loaded.data ?? [])];
}

function actions(): readonly Command[] {
  if (!can('batches:write')) return [];
  return [
    { href: '/batches/new', name: 'New batch', kind: 'Action' },
    { href: '/schedules/new', name: 'New schedule', kind: 'Action' },
  ];
}

function pageCommands(): readonly Command[] {
  const items = places.flatMap(({ items: all, name: place }) =>
    all
      .filter(({ needs }) => needs === '' || can(needs))
      .map(({ path, name, isOutside = false }) => ({ href: path, name, kind: place, isOutside })),
  );
  return [{ href: '/', name: 'Today', kind: 'Start page' }, ...items];
}
