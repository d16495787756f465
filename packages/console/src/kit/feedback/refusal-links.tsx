// @chunk forms: a part of their notes, which other messages load only after a refusal.
import { pageOfRefusal } from './refusal-pages.ts'
import type { ReactNode } from 'react'
import type { Failure } from '#/data/failure.ts'
import { ExternalLink } from '#/ui/ExternalLink.tsx'

/**
 * Links to what explains the rules that refused; undefined if no page does. In new tabs, so that nothing typed is lost.
 */
export function refusalLinks(failures: readonly Failure[]): ReactNode {
  const pages = new Map(
    failures.flatMap((failure) => {
      const found = pageOfRefusal(failure)
      return found ? [[found.page, found.topic] as const] : []
    }),
  )
  if (pages.size === 0) return undefined
  return (
    <ul>
      {[...pages].map(([page, topic]) => (
        <li key={page}>
          <ExternalLink href={`/docs/${page}`}>Read about {topic}</ExternalLink>
        </li>
      ))}
    </ul>
  )
}
