import { PageLink } from '#/features/common/PageLink.tsx'
import { Card } from '#/ui/Card.tsx'
import { CardEmpty } from '#/ui/CardEmpty.tsx'
import { formatNumber, sentenceCase } from '#/ui/format.ts'
import { IssueItems } from './IssueItems.tsx'
import type { SystemOverview } from './queries.ts'

/** Current problems: the number of issues of each kind, then the worst. */
export function OpenIssues({ overview: { issues, worst } }: { overview: SystemOverview }) {
  const some = issues.filter(({ count }) => count > 0)
  return (
    <Card
      title="Open issues"
      flush
      footer={
        <PageLink to="/system/issues" className="link">
          All issues
        </PageLink>
      }
    >
      {some.length === 0 ? (
        <CardEmpty title="No open issues">Nothing is wrong now.</CardEmpty>
      ) : (
        <>
          <ul
            aria-label="Open issues by kind"
            className="flex flex-wrap gap-x-5 gap-y-1 border-t border-line px-3.5 py-2.5 text-sm"
          >
            {some.map(({ kind, count }) => (
              <li key={kind}>
                <PageLink to="/system/issues" search={{ state: 'open', kind }} className="link">
                  {sentenceCase(kind)}
                </PageLink>{' '}
                <span className="text-muted tabular-nums">{formatNumber(count)}</span>
              </li>
            ))}
          </ul>
          <div className="border-t border-line">
            <IssueItems label="Worst issues" issues={worst} />
          </div>
        </>
      )}
    </Card>
  )
}
