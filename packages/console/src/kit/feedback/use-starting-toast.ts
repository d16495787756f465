import { useEffect } from 'react'
import { waitingRequests } from '#/data/starting.ts'
import { useStore } from '#/store.ts'
import { toast } from '#/ui/overlays/toast.ts'

/** Shows a toast while a request waits for a starting server. */
export function useStartingToast(): void {
  const isAwaited = useStore(waitingRequests) > 0
  useEffect(() => {
    if (!isAwaited) return
    const id = toast.info(
      { title: 'Gantry is starting', text: 'Your request is sent again until the server is ready.' },
      null,
    )
    return () => toast.dismiss(id)
  }, [isAwaited])
}
