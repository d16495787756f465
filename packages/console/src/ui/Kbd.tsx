import type { ReactNode } from 'react'

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-block min-w-4.5 rounded-tag border border-b-2 border-line bg-sunken px-[0.3125rem] text-center font-sans text-[0.75rem] leading-4 font-medium text-muted">
      {children}
    </kbd>
  )
}
