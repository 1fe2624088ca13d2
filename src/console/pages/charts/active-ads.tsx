import type { Body } from '../../api/client.ts';
import { useQuery } from '../../api/use-query.ts';
import { Sample } from '../../components/charts/day-chart.tsx';
import { LineChart, toneOf, type Line } from '../../components/charts/line-chart.tsx';
import { companyLabel } from '../../components/company.tsx';
import { Section } from '../../components/page.tsx';
import { chooseCompanies, formatChoice } from './choose-companies.ts';
import { EmptyChart } from './figure-parts.tsx';
import { fillDays, lineSummary } from './fill-days.ts';

type Charts = Body<'BatchCharts'> | Body<'ScheduleCharts'>;

/** Chart of active ads by day, for the chosen companies. */
export function ActiveAds({
  charts: { window, active_ads: companies },
  days,
  lead,
  oneDay,
}: {
  readonly charts: Pick<Charts, 'window' | 'active_ads'>;
  /** Days of the chart, consecutive. */
  readonly days: readonly string[];
  readonly lead: string;
  /** Replaces the chart while there is data of one day only. */
  readonly oneDay: string;
}) {
  const title = 'Active ads over time';
  const query = useQuery();
  const names = companies.map(companyLabel);
  const chosen = chooseCompanies(query.get('companies'), names);
  if (window === null || companies.length === 0) return <Without title={title} text="No daily counts yet." />;
  if (window.from === window.to) return <Without title={title} text={oneDay} />;
  const lines = companies.map((each, i) => ({
    ...{ name: companyLabel(each), tone: toneOf(i), values: fillDays(each, days, window) },
  }));
  const drawn = lines.filter(({ name }) => chosen.includes(name));
  return (
    <Section title={title} lead={lead}>
      <Companies
        lines={lines}
        chosen={chosen}
        onChoose={(next) => query.set({ companies: formatChoice(next, names) }, { replace: true })}
      />
      <LineChart title={title} summary={lineSummary(drawn)} days={days} lines={drawn} />
    </Section>
  );
}

function Without({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Section title={title}>
      <EmptyChart>{text}</EmptyChart>
    </Section>
  );
}

/** Choice of the companies to draw, at least one. Absent for a single company. */
function Companies({
  lines,
  chosen,
  onChoose,
}: {
  readonly lines: readonly Line[];
  readonly chosen: readonly string[];
  readonly onChoose: (names: readonly string[]) => void;
}) {
  if (lines.length < 2) return null;
  return (
    <fieldset class="companies">
      <legend>Companies</legend>
      {lines.map(({ name, tone }) => {
        const isChosen = chosen.includes(name);
        return (
          <label key={name} class="choice">
            <input
              type="checkbox"
              checked={isChosen}
              disabled={isChosen && chosen.length === 1}
              onChange={() => onChoose(isChosen ? chosen.filter((each) => each !== name) : [...chosen, name])}
            />
            <Sample tone={tone} />
            <span>{name}</span>
          </label>
        );
      })}
    </fieldset>
  );
}
