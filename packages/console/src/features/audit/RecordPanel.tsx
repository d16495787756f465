import { isUuid } from '@gantry/api/base/name.rules'
import { useSuspenseQuery } from '@tanstack/react-query'
import ChevronRight from 'lucide-react/icons/chevron-right'
import { useCurrentUser } from '#/data/current-user.ts'
import { PageLink } from '#/kit/links/PageLink.tsx'
import { WideIdItem } from '#/kit/page/plate-items.tsx'
import { secondsText } from '#/kit/page/stored-values.ts'
import { ViewPanel } from '#/kit/page/ViewPanel.tsx'
import { CopyableId } from '#/ui/CopyButton.tsx'
import { DataItem, DataPlate } from '#/ui/data/DataPlate.tsx'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { formatNumber, plural, sentenceCase } from '#/ui/data/format.ts'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { changedLink } from './links.ts'
import { ActorName, ResultPlate } from './parts.tsx'
import { type AuditChange, auditRecord, type AuditScope } from './queries.ts'
import { changeWords, detailItems, fieldChanges } from './words.ts'

const methodWords: Record<string, string> = {
  session_cookie: 'Browser session',
  access_token: 'Access token',
}

/** Characters that fit into half of the panel. */
const shortChars = 24

interface Props {
  scope: AuditScope
  id: string
  onClose: () => void
}

/** One full record: the request, its result, and each object before and after. */
export function RecordPanel({ scope, id, onClose }: Props) {
  const { data: record } = useSuspenseQuery(auditRecord(scope, id))
  const { result, changes, changeCount, details } = record
  // Its object comes first; what belongs to it follows.
  const objects = changes.filter(({ kind }) => kind === changes[0]?.kind)
  const parts = changes.filter(({ kind }) => kind !== changes[0]?.kind)
  return (
    <ViewPanel title={sentenceCase(record.operationId)} context="Audit record" closeTo={onClose}>
      <DataPlate narrow>
        <WideIdItem id={record.id} />
        <DataItem label="User">
          <div className="min-w-0">
            <ActorName record={record} />
          </div>
        </DataItem>
        <DataItem label="Result">
          <ResultPlate result={result} />
        </DataItem>
        <DataItem label="Started">
          <DateTime value={record.timeStarted} toSecond />
        </DataItem>
        <DataItem label="Completed">
          <DateTime value={record.timeCompleted} toSecond />
        </DataItem>
        <DataItem label="Duration">
          {secondsText((record.timeCompleted.getTime() - record.timeStarted.getTime()) / 1000)}
        </DataItem>
        <DataItem label="Signed in by">
          {record.authMethod === null ? (
            <EmptyCell />
          ) : (
            (methodWords[record.authMethod] ?? sentenceCase(record.authMethod))
          )}
        </DataItem>
        {record.credentialId && (
          <DataItem label={record.authMethod === 'session_cookie' ? 'Session' : 'Token'}>
            <CopyableId id={record.credentialId} max={16} />
          </DataItem>
        )}
        <DataItem label="Address">{record.sourceIp || <EmptyCell />}</DataItem>
        {result.kind === 'error' && (
          <DataItem label="Error" wide>
            {result.errorMessage}
            {result.errorCode && <span className="text-muted">({result.errorCode})</span>}
          </DataItem>
        )}
        <DataItem label="Request" wide>
          <code className="font-mono text-[0.8125rem]">{record.requestUri}</code>
        </DataItem>
        <DataItem label="Request ID" wide>
          <CopyableId id={record.requestId} max={40} />
        </DataItem>
        <DataItem label="User agent" wide>
          {record.userAgent || <EmptyCell />}
        </DataItem>
        {detailItems(details ?? {}).map(({ label, value }) => (
          <DataItem key={label} label={label} wide={value.length > shortChars}>
            {isUuid(value) ? <CopyableId id={value} max={40} /> : value}
          </DataItem>
        ))}
      </DataPlate>
      <section aria-label="Changes" className="space-y-3">
        <h3 className="text-md">Changes</h3>
        {changes.length === 0 && (
          <p className="text-muted">This request changed no object, or its changes are no longer kept.</p>
        )}
        <ChangeList changes={objects} scope={scope} />
        {parts.length > 0 && (
          <details className="group space-y-3">
            <summary className="flex min-h-8 list-none items-center gap-2 text-muted hover:text-strong [&::-webkit-details-marker]:hidden">
              <ChevronRight
                aria-hidden
                className="size-4 shrink-0 transition-transform duration-(--time-quick) group-open:rotate-90"
              />
              {formatNumber(parts.length)} {plural('part', parts.length)} changed with it
            </summary>
            <ChangeList changes={parts} scope={scope} />
          </details>
        )}
        {changeCount > changes.length && (
          <p className="text-muted">
            {formatNumber(changeCount - changes.length)} more changes are not shown.
          </p>
        )}
      </section>
    </ViewPanel>
  )
}

interface ListProps {
  changes: readonly AuditChange[]
  scope: AuditScope
}

const ChangeList = ({ changes, scope }: ListProps) =>
  changes.map((change, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- an object can change twice, and a record never does
    <Change key={`${change.objectId} ${index}`} change={change} scope={scope} />
  ))

function Change({ change, scope }: { change: AuditChange; scope: AuditScope }) {
  const { siloName } = useCurrentUser()
  const link = changedLink(change, siloName, scope)
  const fields = fieldChanges(change)
  const name = change.name ?? change.objectId
  const above = [
    ...(change.project ? [`project ${change.project.name}`] : []),
    ...(change.silo && change.silo.name !== siloName ? [`silo ${change.silo.name}`] : []),
  ]
  return (
    <div className="rounded-block border border-line">
      <p className="px-3.5 py-2 wrap-anywhere">
        {changeWords(change)}{' '}
        {link ? (
          <PageLink {...link} className="link">
            {name}
          </PageLink>
        ) : (
          <span className="font-medium text-strong">{name}</span>
        )}
        {above.length > 0 && <span className="text-muted"> in {above.join(', ')}</span>}
      </p>
      {!change.isVisible && (
        <p className="border-t border-faint-line px-3.5 py-2 text-sm text-muted">
          Your roles do not cover this object, so its contents are not shown.
        </p>
      )}
      {fields.length > 0 && (
        <dl className="border-t border-faint-line text-sm">
          {fields.map(({ field, before, after }) => (
            <div key={field} className="border-b border-faint-line px-3.5 py-1.5 last:border-b-0">
              <dt className="text-xs text-muted">{sentenceCase(field)}</dt>
              {change.op !== 'create' && <Value label="Before" value={before} isGone />}
              {change.op !== 'delete' && <Value label="After" value={after} />}
            </div>
          ))}
        </dl>
      )}
    </div>
  )
}

const Value = ({ label, value, isGone }: { label: string; value: string; isGone?: true }) => (
  <dd className="flex gap-2 wrap-anywhere">
    <span className="w-12 shrink-0 text-muted">{label}</span>
    {value === '' ? (
      <EmptyCell />
    ) : (
      <span className={isGone ? 'text-muted line-through' : 'text-strong'}>{value}</span>
    )}
  </dd>
)
