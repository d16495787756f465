import { createFileRoute } from '@tanstack/react-router'

// The tab is the layout, because forms open over it.
export const Route = createFileRoute('/_console/system/silos/$silo/_page/_idps/idps/')({})
