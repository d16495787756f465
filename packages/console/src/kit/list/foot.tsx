import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** The slot below the scrolling content for a page's pagination or submit bar. */
export const FootSlot = createContext<HTMLElement | null>(null)

export function Foot({ children }: { children: ReactNode }) {
  const slot = useContext(FootSlot)
  return slot && createPortal(children, slot)
}
