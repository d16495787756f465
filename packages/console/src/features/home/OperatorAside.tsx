import { useQuery } from '@tanstack/react-query'
import { IssueKinds } from '#/features/system/IssueKinds.tsx'
import { systemOverview, type SystemOverview } from '#/features/system/queries.ts'
import { sentenceCase } from '#/ui/data/format.ts'
import { StateMark } from '#/ui/data/StatePlate.tsx'
import { HomeAside } from './HomeAside.tsx'
import { rowClass, Section } from './Section.tsx'

const shown = 4

/** The home of an operator begins with what is wrong with the installation, if anything is. */
export function OperatorAside() {
  const { data, isLoading } = useQuery({ ...systemOverview, retry: false })
  return <HomeAside isFirstLoading={isLoading} first={data && <OpenIssues {...data} />} />
}

function OpenIssues({ issues, worst }: Pick<SystemOverview, 'issues' | 'worst'>) {
  if (issues.every(({ count }) => count === 0)) return null
  return (
    <Section title="Open issues" all={{ to: '/system/issues' }}>
      <ul>
        {worst
          .filter(({ cause }) => cause === null)
          .slice(0, shown)
          .map(({ id, severity, message }) => (
            <li key={id} className={`${rowClass} items-baseline`}>
              <StateMark family={severity === 'critical' ? 'fail' : 'care'} />
              <span className="min-w-0 wrap-anywhere text-strong">
                <span className="sr-only">{sentenceCase(severity)}: </span>
                {message}
              </span>
            </li>
          ))}
      </ul>
      <IssueKinds issues={issues} className="gap-x-4 gap-y-1 border-faint-line py-2" />
    </Section>
  )
}
