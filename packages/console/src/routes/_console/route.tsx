import { createFileRoute } from '@tanstack/react-router'
import { currentUser } from '#/data/current-user.ts'
import { session } from '#/data/session.ts'
import { ConsoleRoot } from '#/shell/ConsoleRoot.tsx'
import { ErrorScreen } from '#/shell/parts.tsx'

export const Route = createFileRoute('/_console')({
  loader: async ({ context }) => {
    await context.prefetch(currentUser)
    const user = context.queryClient.getQueryData(currentUser.queryKey)
    if (user) session.begin(user)
  },
  component: ConsoleRoot,
  errorComponent: ErrorScreen,
})
