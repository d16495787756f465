import { createFileRoute } from '@tanstack/react-router'
import { DocsHome } from '#/features/docs/DocsHome.tsx'

export const Route = createFileRoute('/_console/docs/')({ component: DocsHome })
