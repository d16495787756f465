import type { Column } from '#/ui/column.ts'
import { DateTime } from '#/ui/DateTime.tsx'
import { sentenceCase } from '#/ui/format.ts'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { ActorName, RecordLink, ResultPlate } from './parts.tsx'
import type { AuditRecord, AuditScope } from './queries.ts'
import { changedText } from './words.ts'

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
    cell: ({ timeCompleted }) => <DateTime value={timeCompleted} />,
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

export const auditColumns = { fleet: columnsOf('fleet'), silo: columnsOf('silo') }
