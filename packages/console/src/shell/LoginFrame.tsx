import { type ReactNode, useEffect, useRef } from 'react'
import { YardDrawing } from '#/ui/drawings/YardDrawing.tsx'
import { Mark } from '#/ui/data/Mark.tsx'

/** The frame of sign-in pages: the card hangs from the trolley of the drawn gantry. */
export function LoginFrame({
  title,
  children,
  note,
}: {
  title: string
  children: ReactNode
  note?: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The link or button that led here is gone. Most pages have a field, which has taken the focus by now.
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus()
  }, [])
  return (
    <div className="relative grid min-h-dvh grid-cols-1 grid-rows-[1fr_auto] overflow-hidden bg-rail">
      <YardDrawing cable />
      <main
        id="content"
        tabIndex={-1}
        className="relative grid grid-cols-1 place-items-center p-4 outline-none"
      >
        <div className="w-narrow max-w-full rounded-float bg-raised px-6 pt-7 pb-8 shadow-dialog sm:px-8">
          <Mark className="mb-3.5 -ml-0.5 size-10" label="Gantry" />
          <h1 ref={heading} tabIndex={-1} className="text-xl outline-none">
            {title}
          </h1>
          {children}
        </div>
      </main>
      <footer className="relative min-h-12 px-5 py-3.5 text-center text-sm text-muted">{note}</footer>
    </div>
  )
}
