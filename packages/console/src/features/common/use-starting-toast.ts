import { useEffect, useSyncExternalStore } from 'react'
import { starting } from '#/data/starting.ts'
import { toast } from '#/ui/toast.ts'

/** Shows a toast while a request waits for a starting server. */
export function useStartingToast(): void {
  const isAwaited = useSyncExternalStore(starting.subscribe, starting.isAwaited)
  useEffect(() => {
    if (!isAwaited) return
    const id = toast.info(
      { title: 'Gantry is starting', text: 'Your request is sent again until the server is ready.' },
      null,
    )
    return () => toast.dismiss(id)
  }, [isAwaited])
}
