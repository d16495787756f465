import { useNavigate } from '@tanstack/react-router'
import { DocsPopover } from '#/kit/page/DocsPopover.tsx'
import { NothingMatches } from '#/kit/list/NothingMatches.tsx'
import { ListPage } from '#/kit/list/ListPage.tsx'
import { ResourceTable } from '#/kit/list/ResourceTable.tsx'
import { exportFormats } from '#/kit/list/use-export.ts'
import { useListPage } from '#/kit/list/use-list-page.ts'
import { withoutEmpty } from '#/kit/inputs/without-empty.ts'
import { Button } from '#/ui/Button.tsx'
import type { Column } from '#/ui/data/column.ts'
import { DateTime } from '#/ui/data/DateTime.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { sentenceCase } from '#/ui/data/format.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { EmptyCell } from '#/ui/data/Truncate.tsx'
import { AuditFilter } from './AuditFilter.tsx'
import { ActorName, RecordLink, ResultPlate } from './parts.tsx'
import { type AuditRecord, auditRecords, type AuditScope, isNarrowed, isPlainLog } from './queries.ts'
import type { AuditSearch } from './search.ts'
import { useAuditExport } from './use-export.ts'
import { actorText, changedText } from './words.ts'

const RecordPanel = lazyPart(() => import('./RecordPanel.tsx'), 'RecordPanel')

/** The log, newest first; a record opens beside the list. */
export function AuditPage({ scope, search }: { scope: AuditScope; search: AuditSearch }) {
  const navigate = useNavigate()
  const { isReading, run } = useAuditExport(scope, search)
  const ask = (wanted: AuditSearch) =>
    void navigate({ to: '.', search: withoutEmpty(wanted), replace: true, resetScroll: false })
  const clear = () => ask({})
  const list = useListPage(auditRecords(scope, search))
  return (
    <ListPage
      title="Audit log"
      docs={
        <DocsPopover topic="the audit log" page="production#collecting-the-audit-log">
          Every request that changes something is recorded with its caller, its result and the objects it
          changed. Nobody can edit or delete a record.
        </DocsPopover>
      }
      actions={(['csv', 'jsonl'] as const).map((format) => (
        <Button key={format} pending={isReading} onClick={() => run(format)}>
          <span>
            <span className="max-md:sr-only">Export</span> {exportFormats[format].label}
          </span>
        </Button>
      ))}
    >
      <AuditFilter
        search={search}
        suggested={{
          actor: list.rows?.map(actorText),
          operation: list.rows?.map(({ operationId }) => sentenceCase(operationId)),
        }}
        timeOnly={isPlainLog()}
        onChange={(change) => ask({ ...search, ...change, page: undefined, record: undefined })}
        onClear={clear}
      />
      <ResourceTable
        label="Audit log"
        list={list}
        columns={auditColumns[scope]}
        tall
        steady
        isRecord
        empty={
          isNarrowed(search) ? (
            <NothingMatches onClear={clear} />
          ) : (
            <EmptyState title="No records">Nobody has changed anything yet.</EmptyState>
          )
        }
      />
      {search.record && !isPlainLog() && (
        <RecordPanel scope={scope} id={search.record} onClose={() => ask({ ...search, record: undefined })} />
      )}
    </ListPage>
  )
}

const columnsOf = (scope: AuditScope): Column<AuditRecord>[] => [
  {
    id: 'operation',
    header: 'Operation',
    part: 'name',
    width: '22%',
    cell: ({ id, operationId, sourceIp }) => (
      <>
        <RecordLink scope={scope} id={id}>
          {sentenceCase(operationId)}
        </RecordLink>
        <span className="block truncate text-sm text-muted">{sourceIp ?? 'Address not shown'}</span>
      </>
    ),
  },
  {
    id: 'time',
    header: 'Time',
    part: 'meta',
    width: '18%',
    cell: ({ timeCompleted }) => <DateTime value={timeCompleted} toSecond />,
  },
  {
    id: 'who',
    header: 'User',
    part: 'meta',
    width: '15%',
    cell: (record) => <ActorName record={record} />,
  },
  {
    id: 'changed',
    header: 'Changed',
    part: 'line',
    width: '29%',
    cell: (record) => changedText(record) || <EmptyCell />,
  },
  {
    id: 'result',
    header: 'Result',
    part: 'state',
    width: '16%',
    cell: ({ result }) => <ResultPlate result={result} />,
  },
]

const auditColumns = { fleet: columnsOf('fleet'), silo: columnsOf('silo') }
