import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { toast } from '../../ui/toast.ts'
import { announceSignIn } from './sign-in-news.ts'

/** What follows signing in on a page of its own: the page that was wanted. */
export function useSignedIn(returnTo: string): () => void {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return () => {
    // Answers given to whoever was here before are not for this person.
    queryClient.clear()
    announceSignIn()
    toast.success('Signed in')
    void navigate({ href: returnTo, replace: true })
  }
}
