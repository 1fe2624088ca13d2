/** Metrics of a Prometheus page. */
export interface Metrics {
  readonly names: readonly string[];
  /** Value of the series with exactly these labels; undefined if there is none. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
  /** Values of a label over all series of a name. */
  readonly labels: (name: string, label: string) => readonly string[];
}

interface Series {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** @throws Error for a line that is invalid in the Prometheus format. */
export function readMetrics(text: string): Metrics {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  const series = lines.map(readSeries);
  return {
    names: [...text.matchAll(/^# TYPE (\S+) /gm)].map((match) => match[1] ?? ''),
    value: (name, labels = {}) =>
      series.find((each) => each.name === name && keyOf(each.labels) === keyOf(labels))?.value,
    labels: (name, label) => [
      ...new Set(series.filter((each) => each.name === name).map(({ labels }) => labels[label] ?? '')),
    ],
  };
}

function readSeries(line: string): Series {
  const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
  if (match === null) throw new Error(`"${line}" is no line of Prometheus.`);
  const [, name = '', inBraces = '', value = ''] = match;
  const labels = [...inBraces.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(
    (pair) => [pair[1], pair[2]] as const,
  );
  return { name, labels: Object.fromEntries(labels) as Record<string, string>, value: Number(value) };
}

function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}
