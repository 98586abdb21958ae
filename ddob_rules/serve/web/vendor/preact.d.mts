// The little of preact that the panels use, as types; preact.mjs itself is as its authors published it.

export type Child = object | string | number | boolean | null | undefined | readonly Child[];
export interface Node { readonly type: unknown }
export function h<P>(type: (props: P) => unknown, props: P & { key?: unknown }, ...children: Child[]): Node;
export function h<P>(type: new (props: P) => Component<P, any>, props: Omit<P, "children"> & { key?: unknown; ref?: unknown }, ...children: Child[]): Node;
export function h(type: string, props: Record<string, unknown>, ...children: Child[]): Node;
export function render(node: Node | null, host: Element): void;
export function createRef(): { current: any };
export class Component<P = {}, S = {}> {
  constructor(props: P);
  readonly props: P;
  state: S;
  setState(change: Partial<S>): void;
  forceUpdate(): void;
  render(): Child;
}
