import { createFileRoute } from '@tanstack/react-router'

// The page is the layout, because forms open over it.
export const Route = createFileRoute('/_console/system/_update/update/')({})
