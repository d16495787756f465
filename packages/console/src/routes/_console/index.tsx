import { createFileRoute, redirect } from '@tanstack/react-router'
import { homePath } from '../../data/redirect-uri.ts'

export const Route = createFileRoute('/_console/')({
  beforeLoad: () => {
    throw redirect({ href: homePath, replace: true })
  },
})
