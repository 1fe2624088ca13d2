import type { Destination } from '../../../core/destinations/destination.ts';
import type { Landing } from '../../../core/destinations/landing.ts';
import { cappedText } from '../../../core/reports/capped-count.ts';
import { visibleText } from '../../../core/reports/visible-text.ts';
import { formatLocation } from '../../../core/storage/location.ts';
import { formatTable } from '../../terminal/format-table.ts';

/** Formats destinations for people: a table, and below it the reasons of states. */
export function destinationsText(found: readonly Destination[], columnsMax: number): string {
  if (found.length === 0)
    return 'No destinations yet. Add one with: nightshift destination add NAME LOCATION';
  const table = formatTable(
    [
      'name',
      { title: 'takes', hide: 4 },
      { title: 'to', hide: 3 },
      { title: 'format', hide: 2 },
      'state',
      { title: 'last landing', hide: 1 },
      'pending',
      'dead',
    ],
    found.map((destination) => [
      destination.name,
      scopeText(destination),
      formatLocation(destination.location),
      destination.format,
      destination.state,
      destination.lastLandedAt ?? 'never',
      cappedText(destination.pending),
      cappedText(destination.dead),
    ]),
    columnsMax,
  );
  const reasons = found.flatMap(({ name, stateReason }) =>
    stateReason === null ? [] : [`State of ${visibleText(name)}: ${visibleText(stateReason)}`],
  );
  return [table, ...reasons].join('\n');
}

function scopeText({ scope }: Destination): string {
  if (scope.kind === 'account') return 'all batches';
  return scope.kind === 'schedule' ? scope.schedule : scope.batch;
}

/** Formats one destination in a few lines. */
export function destinationText(destination: Destination): string {
  const { options, shapes, format, hasCredentials, lastLandedAt } = destination;
  const { layout, gzip, raw, table, key } = options;
  const form = [
    format,
    shapes.join(', '),
    ...(table === null ? [layout] : [`table ${table}`]),
    ...(key === null ? [] : [`key ${key.join(', ')}`]),
    ...(gzip ? ['gzip'] : []),
    ...(raw ? ['raw'] : []),
  ];
  return [
    `Destination  ${visibleText(destination.name)}  (${destination.destinationId})`,
    `Location     ${visibleText(formatLocation(destination.location))}${hasCredentials ? ', with credentials' : ''}`,
    `Takes        ${visibleText(scopeText(destination))}`,
    `Form         ${visibleText(form.join('; '))}`,
    `State        ${stateText(destination)}`,
    `Landings     ${cappedText(destination.pending)} pending, ${cappedText(destination.dead)} dead, last one ${lastLandedAt?.toISOString() ?? 'never'}`,
  ].join('\n');
}

/** Formats the state of a destination with its reason. */
export function stateText({ state, stateReason }: Destination): string {
  return stateReason === null ? state : `${state}: ${visibleText(stateReason)}`;
}

/** Formats landings for people. */
export function landingTable(found: readonly Landing[], columnsMax: number): string {
  return formatTable(
    [
      'batch',
      { title: 'shape', hide: 5 },
      'state',
      { title: 'rows', hide: 4 },
      { title: 'attempts', hide: 2 },
      { title: 'last attempt', hide: 1 },
      { title: 'next attempt', hide: 3 },
      { title: 'last error', hide: 6 },
    ],
    found.map((landing) => [
      landing.batch,
      landing.shape,
      landing.state,
      landing.rows,
      landing.attempts,
      landing.triedAt,
      landing.nextAt,
      landing.lastError ?? landing.note,
    ]),
    columnsMax,
  );
}

/** Formats a landing in one line of the status of its batch. */
export function landingLine({ destination, shape, state, rows, lastError, nextAt }: Landing): string {
  const place = `${shape} in ${visibleText(destination)}`;
  if (state === 'landed') return `${place}: landed, ${(rows ?? 0).toLocaleString('en')} lines`;
  const error = lastError === null ? '' : `: ${visibleText(lastError)}`;
  if (state === 'dead') return `${place}: not landed${error}`;
  return `${place}: pending${error}${lastError === null || nextAt === null ? '' : ` Next attempt at ${nextAt.toISOString()}.`}`;
}

/** Converts a destination to its form in `--json`. */
export function destinationJson(destination: Destination) {
  const { scope, options } = destination;
  return {
    id: destination.destinationId,
    name: destination.name,
    location: formatLocation(destination.location),
    kind: destination.location.kind,
    hostKey: destination.location.kind === 'sftp' ? destination.location.hostKey : null,
    hasCredentials: destination.hasCredentials,
    schedule: scope.kind === 'schedule' ? scope.schedule : null,
    batch: scope.kind === 'batch' ? scope.batch : null,
    format: destination.format,
    shapes: destination.shapes,
    ...options,
    state: destination.state,
    reason: destination.stateReason,
    pending: destination.pending,
    dead: destination.dead,
    lastLandedAt: destination.lastLandedAt,
    createdAt: destination.createdAt,
  };
}

/** Converts a landing to its form in `--json`. */
export function landingJson({ destinationId, destination, ...landing }: Landing) {
  return { ...landing, destination, destinationId };
}
