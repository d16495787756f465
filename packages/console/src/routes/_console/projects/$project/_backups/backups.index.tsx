import { createFileRoute } from '@tanstack/react-router'

// The list is the layout, because a panel opens over it.
export const Route = createFileRoute('/_console/projects/$project/_backups/backups/')({})
