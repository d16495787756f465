import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { toast } from '#/ui/toast.ts'
import { failureText } from '#/features/common/failure-text.ts'
import { mySecondFactors } from './queries.ts'

const ConfirmIdentityDialog = lazyPart(() => import('./ConfirmIdentityDialog.tsx'), 'ConfirmIdentityDialog')

/** What changes how somebody signs in asks first that they are still there, unless they have just shown it. */
export function useConfirmed(): { confirmed: (then: () => void) => void; dialog: ReactNode } {
  const queryClient = useQueryClient()
  const [then, setThen] = useState<() => void>()

  async function ask(next: () => void): Promise<void> {
    try {
      // By the server's clock, at this moment.
      const { needsConfirmation } = await queryClient.fetchQuery({ ...mySecondFactors, staleTime: 0 })
      if (needsConfirmation) setThen(() => next)
      else next()
    } catch (error) {
      toast.error({ title: 'Could not change second factors', text: failureText(asFailure(error)) })
    }
  }

  return {
    confirmed: (next) => void ask(next),
    dialog: then && <ConfirmIdentityDialog onConfirmed={then} onClose={() => setThen(undefined)} />,
  }
}
