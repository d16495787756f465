import { useNavigate } from '@tanstack/react-router'
import { DocsPopover } from '#/features/common/DocsPopover.tsx'
import { NothingMatches } from '#/features/common/list/NothingMatches.tsx'
import { ListPage } from '#/features/common/ListPage.tsx'
import { ResourceTable } from '#/features/common/ResourceTable.tsx'
import { useListPage } from '#/features/common/use-list-page.ts'
import { Button } from '#/ui/Button.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { AuditFilter } from './AuditFilter.tsx'
import { auditColumns } from './columns.tsx'
import { exportFormats } from './export.ts'
import { type AuditScope, auditRecords } from './queries.ts'
import { isNarrowed } from './query.ts'
import type { AuditSearch } from './search.ts'
import { useExport } from './use-export.ts'

const RecordPanel = lazyPart(() => import('./RecordPanel.tsx'), 'RecordPanel')

/** Who did what, newest first; a record opens beside the list. */
export function AuditPage({ scope, search }: { scope: AuditScope; search: AuditSearch }) {
  const navigate = useNavigate()
  const { isReading, run } = useExport(scope, search)
  const ask = (wanted: AuditSearch) =>
    void navigate({ to: '.', search: withoutEmpty(wanted), replace: true, resetScroll: false })
  const clear = () => ask({})
  const list = useListPage(auditRecords(scope, search))
  const operations = [...new Set(list.rows?.map(({ operationId }) => operationId))].sort()
  return (
    <ListPage
      title="Audit log"
      docs={
        <DocsPopover topic="the audit log">
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
        operations={operations}
        onChange={(change) => ask({ ...search, ...change, page: undefined, record: undefined })}
        onClear={clear}
      />
      <ResourceTable
        label="Audit log"
        list={list}
        columns={auditColumns[scope]}
        tall
        steady
        empty={
          isNarrowed(search) ? (
            <NothingMatches onClear={clear} />
          ) : (
            <EmptyState title="No records">Nobody has changed anything yet.</EmptyState>
          )
        }
      />
      {search.record && (
        <RecordPanel scope={scope} id={search.record} onClose={() => ask({ ...search, record: undefined })} />
      )}
    </ListPage>
  )
}

const withoutEmpty = (search: AuditSearch): AuditSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value))
