import { createFileRoute } from '@tanstack/react-router'

// The list is the layout, because forms open over it.
export const Route = createFileRoute('/_console/system/_backup-targets/backup-targets/')({})
