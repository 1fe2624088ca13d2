import { api, read, type Body } from '../../api/client.ts';
import { useLoad } from '../../api/use-load.ts';
import { Badge } from '../../components/badge.tsx';
import { Section } from '../../components/page.tsx';
import { formatCounted } from '../../components/values.tsx';
import { tasksOf, type Task } from './tasks.ts';

const shownMax = 8;

/** Everything that waits for a decision: credits, sources, failed lookups, companies and advertisers. */
export function Waiting({ batches }: { readonly batches: readonly Body<'Batch'>[] }) {
  const review = useLoad(
    'home review',
    (signal) => read(api.GET('/v1/companies/candidates', { params: { query: { limit: 1 } }, signal })),
    ['batches'],
  );
  const tasks = [...reviewTasks(review.data), ...tasksOf(batches, Date.now())];
  return (
    <Section title="Waiting for you">
      {tasks.length === 0 ? (
        <p class="quiet">Nothing needs a decision.</p>
      ) : (
        <ul class="tasks" aria-label="Waiting for you">
          {tasks.slice(0, shownMax).map(({ href, title, subject, tone, label }) => (
            <li key={href}>
              <div>
                <a href={href}>{title}</a>
                <div class="quiet small">{subject}</div>
              </div>
              <Badge tone={tone}>{label}</Badge>
            </li>
          ))}
        </ul>
      )}
      {tasks.length > shownMax && <p class="quiet small">And {tasks.length - shownMax} more.</p>}
    </Section>
  );
}

function reviewTasks(found: Body<'AdvertiserCandidateList'> | undefined): readonly Task[] {
  if (found === undefined || found.advertisers === 0) return [];
  return [
    {
      href: '/review',
      title: formatCounted(found.advertisers, 'uncertain advertiser'),
      subject: `May belong to ${formatCounted(found.companies, 'company', 'companies')}. Accept or deny them.`,
      tone: 'warm',
      label: 'Review',
    },
  ];
}
