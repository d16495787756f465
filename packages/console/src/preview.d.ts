/** The control plane inside the page; only builds in mode `preview` contain it. */
declare module '@gantry/preview/start' {
  interface Choices {
    /** Name of the signed-in user; empty after signing out. */
    user: string
    delay: 'off' | 'on'
    /** Percentage of calls that fail. */
    chaos: number
  }
  export interface Preview {
    people: readonly { name: string; role: string }[]
    options: {
      current: () => Choices
      subscribe: (listener: () => void) => () => void
      choose: (change: Partial<Choices>) => void
    }
    /** Switches the page to another user, keeping the resources created in it. */
    become: (name: string) => Promise<void>
    /** Starts the control plane's work without a request; again it does nothing. */
    startBackground: () => void
  }
  /** Resolves when the control plane in the page answers its requests. */
  export function start(): Promise<Preview>
}
