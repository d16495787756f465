import { PageLink } from '#/features/common/PageLink.tsx'
import { siloLink } from '#/features/silos/links.ts'
import { DateTime } from '#/ui/DateTime.tsx'
import { sentenceCase } from '#/ui/format.ts'
import { type StateFamily, StatePlate } from '#/ui/StatePlate.tsx'
import { type ObjectKind, ObjectName, type ObjectRef } from './ObjectName.tsx'
import type { SystemIssue } from './queries.ts'

const families: Record<SystemIssue['severity'], StateFamily> = { critical: 'fail', warning: 'care' }

/** Issues in the given order: severity, start, affected objects and remedy. */
export function IssueItems({ label, issues }: { label: string; issues: readonly SystemIssue[] }) {
  return (
    <ul aria-label={label}>
      {issues.map((issue) => (
        <li key={issue.id} className="border-t border-faint-line px-3.5 py-2.5 first:border-t-0">
          <Issue issue={issue} />
        </li>
      ))}
    </ul>
  )
}

function Issue({ issue: { severity, message, nextStep, touches, since, ended } }: { issue: SystemIssue }) {
  return (
    <>
      <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <StatePlate family={ended ? 'gone' : families[severity]}>
          {ended ? 'Past' : sentenceCase(severity)}
        </StatePlate>
        <p className="min-w-60 grow basis-0 font-medium text-strong wrap-anywhere">{message}</p>
        <p className="text-sm text-muted">
          {since && (
            <>
              {ended ? 'From ' : 'Since '}
              <DateTime value={since} />
            </>
          )}
          {ended && (
            <>
              {' '}
              to <DateTime value={ended} />
            </>
          )}
        </p>
      </div>
      {!ended && <p className="mt-1 text-sm text-text">{nextStep}</p>}
      {touches.length > 0 && (
        <p className="mt-1 text-sm text-muted">
          Affects{' '}
          {touches.map((touched, index) => (
            <span key={touched.id}>
              {index > 0 && ', '}
              <Touched object={touched} />
            </span>
          ))}
        </p>
      )}
    </>
  )
}

const kindWords: Record<ObjectKind, string> = {
  instance: 'instance',
  sled: 'sled',
  job: 'job',
  'ip-pool': 'IP pool',
  silo: 'silo',
  certificate: 'certificate',
  'metric-query': 'saved query',
}

function Touched({ object }: { object: ObjectRef }) {
  const { kind, projectName, siloName } = object
  return (
    <>
      {kindWords[kind]} <ObjectName object={object} />
      {projectName !== null && ` in project ${projectName}`}
      {siloName !== null && (
        <>
          {projectName === null ? ' in silo ' : ', silo '}
          <PageLink {...siloPart(object, siloName)} className="link">
            {siloName}
          </PageLink>
        </>
      )}
    </>
  )
}

/** Instances of other silos have no page here, so the silo's name links to its projects or identity providers. */
const siloPart = ({ projectName }: ObjectRef, silo: string) =>
  siloLink(silo, projectName === null ? 'idps' : 'projects')
