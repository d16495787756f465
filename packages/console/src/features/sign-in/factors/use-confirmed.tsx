import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { asFailure } from '#/data/failure.ts'
import { lazyPart } from '#/ui/lazy-part.tsx'
import { toast } from '#/ui/overlays/toast.ts'
import { failureText } from '#/kit/feedback/failure-text.ts'
import { mySecondFactors } from './queries.ts'

const ConfirmIdentityDialog = lazyPart(() => import('./ConfirmIdentityDialog.tsx'), 'ConfirmIdentityDialog')

/** Asks the user to confirm their identity before changing a sign-in method, unless they have just done so. */
export function useConfirmed(): { confirmed: (then: () => void) => void; dialog: ReactNode } {
  const queryClient = useQueryClient()
  const [then, setThen] = useState<() => void>()

  async function ask(next: () => void): Promise<void> {
    try {
      // The server's clock decides, so this must be read now.
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
