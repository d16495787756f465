import { createFileRoute } from '@tanstack/react-router'
import { NewTarget } from '#/features/backup-targets/NewTarget.tsx'

export const Route = createFileRoute('/_console/system/_backup-targets/backup-targets-new')({
  staticData: { title: 'New backup target' },
  component: NewTarget,
})
