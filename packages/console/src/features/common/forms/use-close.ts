import { useNavigate, useRouter } from '@tanstack/react-router'

/** Back to the list as it was left: same page of it, same scroll position. */
export function useClose(closeTo: string | (() => void)): () => void {
  const navigate = useNavigate()
  const router = useRouter()
  if (typeof closeTo !== 'string') return closeTo
  return () => {
    const { search } = router.state.location
    void navigate({ to: closeTo, search, resetScroll: false } as Parameters<typeof navigate>[0])
  }
}
