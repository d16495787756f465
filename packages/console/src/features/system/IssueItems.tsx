import { byCause } from '@gantry/api/system/system.rules'
import { type ReactNode, useMemo } from 'react'
import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { actionMenu } from '#/kit/list/row-menu.tsx'
import { siloLink } from '#/features/silos/links.ts'
import { Button, buttonClass } from '#/ui/Button.tsx'
import { DateTime, RelativeTime } from '#/ui/data/DateTime.tsx'
import { formatNumber, sentenceCase } from '#/ui/data/format.ts'
import { MoreActions } from '#/ui/overlays/RowMenu.tsx'
import { type StateFamily, StatePlate } from '#/ui/data/StatePlate.tsx'
import { type ObjectKind, ObjectName, type ObjectRef } from './ObjectName.tsx'
import type { SystemIssue } from './queries.ts'
import { remedyOf } from './remedy.ts'
import { useIssueActions } from './use-issue-actions.tsx'

const families: Record<SystemIssue['severity'], StateFamily> = { critical: 'fail', warning: 'care' }

/** Issues in the given order, each with the issues that it caused below it. */
export function IssueItems({ label, issues }: { label: string; issues: readonly SystemIssue[] }) {
  const groups = useMemo(() => byCause(issues), [issues])
  const { actions, dialog } = useIssueActions()
  return (
    <>
      <ul aria-label={label}>
        {groups.map(({ issue, effects }) => (
          <li key={issue.id} className="border-t border-faint-line px-3.5 py-3 first:border-t-0">
            <Issue issue={issue} buttons={!issue.ended && <IssueButtons issue={issue} actions={actions} />} />
            {effects.length > 0 && <Effects cause={issue} effects={effects} />}
          </li>
        ))}
      </ul>
      {dialog}
    </>
  )
}

type ActionsOf = ReturnType<typeof useIssueActions>['actions']

/** Severity, what is wrong and since when, what to do, and buttons that do it. */
function Issue({ issue, buttons }: { issue: SystemIssue; buttons: ReactNode }) {
  const { severity, message, nextStep, touches, ended, acknowledgement } = issue
  return (
    <div className="grid grid-cols-[5.5rem_minmax(0,1fr)] gap-x-3 gap-y-2 md:grid-cols-[5.5rem_minmax(0,1fr)_auto]">
      <StatePlate family={ended ? 'gone' : families[severity]} className="justify-self-start">
        {ended ? 'Past' : sentenceCase(severity)}
      </StatePlate>
      <div className="min-w-0 space-y-1">
        <div className="flex flex-wrap items-baseline gap-x-2">
          <p className="font-semibold text-strong wrap-anywhere">{message}</p>
          <Period issue={issue} />
        </div>
        {!ended && <p className="text-sm text-text">{nextStep}</p>}
        {touches.length > 0 && (
          <p className="text-sm text-muted">
            Affects{' '}
            {touches.map((touched, index) => (
              <span key={touched.id}>
                {index > 0 && ', '}
                <Touched object={touched} />
              </span>
            ))}
          </p>
        )}
        {acknowledgement && <Seen by={acknowledgement} />}
      </div>
      {buttons && (
        <div className="col-span-full flex flex-wrap items-start gap-2 md:col-auto md:justify-end">
          {buttons}
        </div>
      )}
    </div>
  )
}

function Period({ issue: { since, ended } }: { issue: SystemIssue }) {
  if (!since && !ended) return null
  return (
    <p className="text-sm text-muted">
      {since && (
        <>
          {ended ? 'from ' : 'since '}
          <DateTime value={since} />
        </>
      )}
      {since && !ended && (
        <>
          , <RelativeTime value={since} />
        </>
      )}
      {ended && (
        <>
          {' '}
          to <DateTime value={ended} />
        </>
      )}
    </p>
  )
}

function Seen({ by: { note, userName, timeCreated } }: { by: NonNullable<SystemIssue['acknowledgement']> }) {
  return (
    <p className="text-sm text-muted wrap-anywhere">
      Seen by <span className="font-medium text-strong">{userName}</span> on <DateTime value={timeCreated} />
      {note && (
        <>
          : <span className="whitespace-pre-line text-text">{note}</span>
        </>
      )}
    </p>
  )
}

function IssueButtons({ issue, actions }: { issue: SystemIssue; actions: ActionsOf }) {
  const { siloName } = useCurrentUser()
  const remedy = remedyOf(issue, siloName)
  const [first, ...others] = actions(issue)
  return (
    <>
      {remedy && (
        <PageLink {...remedy.link} className={buttonClass({ kind: 'default' })}>
          {remedy.label}
        </PageLink>
      )}
      {first && (
        <Button disabledReason={first.disabled} onClick={() => first.onSelect?.()}>
          {first.label}…
        </Button>
      )}
      {others.length > 0 && (
        <MoreActions label={`More actions for: ${issue.message}`} entries={() => actionMenu(others)} />
      )}
    </>
  )
}

/** Below their cause, on a line: each in one row, since the cause says what to do. */
function Effects({ cause, effects }: { cause: SystemIssue; effects: readonly SystemIssue[] }) {
  const more = cause.effects - effects.length
  const sled = cause.touches.find(({ kind }) => kind === 'sled')
  return (
    <ul
      aria-label={`Caused by: ${cause.message}`}
      className="mt-2 ml-1 space-y-1 border-l border-control-line pl-3 text-sm md:ml-25"
    >
      {effects.map((effect) => (
        <li key={effect.id} className="flex flex-wrap items-center gap-x-2">
          <StatePlate family={families[effect.severity]}>{effectWords[effect.kind] ?? 'Affected'}</StatePlate>
          <span className="min-w-0 wrap-anywhere">
            {effect.touches.map((touched) => (
              <Touched key={touched.id} object={touched} />
            ))}
            {effect.acknowledgement && <> (seen by {effect.acknowledgement.userName})</>}
          </span>
        </li>
      ))}
      {more > 0 && (
        <li>
          <PageLink to="/system/issues" search={{ state: 'open' }} className="link">
            {formatNumber(more)} more
          </PageLink>
          {sled && (
            <>
              {' '}
              with sled <ObjectName object={sled} />
            </>
          )}
        </li>
      )}
    </ul>
  )
}

const effectWords: Partial<Record<SystemIssue['kind'], string>> = {
  failed_instance: 'Failed',
  stuck_update: 'Update waits',
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
