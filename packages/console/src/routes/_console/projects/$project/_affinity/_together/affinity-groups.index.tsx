import { createFileRoute } from '@tanstack/react-router'

// The list is the layout, because a form opens over it.
export const Route = createFileRoute('/_console/projects/$project/_affinity/_together/affinity-groups/')({})
