import { createFileRoute } from '@tanstack/react-router'
import { NewTarget } from '#/features/backup-targets/NewTarget.tsx'
import { backupStores } from '#/features/backup-targets/queries.ts'

export const Route = createFileRoute('/_console/system/_backup-targets/backup-targets-new')({
  loader: ({ context }) => context.prefetch(backupStores),
  staticData: { title: 'New backup target' },
  component: NewTarget,
})
