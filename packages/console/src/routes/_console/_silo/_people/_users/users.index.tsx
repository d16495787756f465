import { createFileRoute } from '@tanstack/react-router'

// The list is the layout, because panels open over it.
export const Route = createFileRoute('/_console/_silo/_people/_users/users/')({})
