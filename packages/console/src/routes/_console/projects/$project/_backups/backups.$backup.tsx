import { createFileRoute } from '@tanstack/react-router'
import { BackupPanel } from '#/features/backups/BackupPanel.tsx'
import { backupView } from '#/features/backups/queries.ts'

export const Route = createFileRoute('/_console/projects/$project/_backups/backups/$backup')({
  loader: ({ context, params: { project, backup } }) => context.prefetch(backupView(project, backup)),
  staticData: { title: 'View backup' },
  component: BackupPanel,
})
