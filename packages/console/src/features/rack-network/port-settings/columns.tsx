import { createdColumn, nameColumn } from '#/features/common/columns.tsx'
import type { Column } from '#/ui/column.ts'
import { EmptyCell } from '#/ui/Truncate.tsx'
import { settingsLink } from './links.ts'
import type { SettingsRow } from './queries.ts'

export const settingsColumns: Column<SettingsRow>[] = [
  nameColumn<SettingsRow>(({ name }) => settingsLink(name)),
  {
    id: 'description',
    header: 'Description',
    part: 'line',
    cell: ({ description }) => description || <EmptyCell />,
  },
  createdColumn<SettingsRow>(),
]
