import { jsonpath, type JSONPathNode, type JSONPathQuery } from 'json-p3';

import type { JsonValue } from '../../values/json-value.ts';
import { WorkBudget } from '../expression-limits.ts';
import { costOfNames } from '../json-cost.ts';

const { expressions, selectors } = jsonpath;

type Selector = JSONPathQuery['segments'][number]['selectors'][number];
type Expression = InstanceType<typeof expressions.FilterExpression>;
type Operand = InstanceType<typeof expressions.RelativeQuery | typeof expressions.RootQuery>;

/** Units of work per visited node. Deeper nodes cost more, because the library passes each through all levels above it. */
const workPerNode = 700;
const workPerLevel = 30;

/**
 * The library limits the depth of a query but not its work: `$..*..*..[?count($..*) > 1]` is cubic. So each selector of
 * the compiled query, also inside filters, pays for the nodes that it is about to visit. A query runs without
 * interruption, hence a single current meter.
 */
export function meter(query: JSONPathQuery): (root: JsonValue, work: WorkBudget) => Generator<JsonValue> {
  const current = { work: new WorkBudget(0) };
  meterQuery(query, current);
  return function* run(root, work) {
    current.work = work;
    for (const node of query.lazyQuery(root)) yield node.value as JsonValue;
  };
}

interface Meter {
  work: WorkBudget;
}

function meterQuery(query: JSONPathQuery, current: Meter): void {
  for (const segment of query.segments) {
    for (const selector of segment.selectors) {
      meterSelector(selector, current);
      if (selector instanceof selectors.FilterSelector) meterExpression(selector.expression, current);
    }
  }
}

function meterSelector(selector: Selector, current: Meter): void {
  const resolve = selector.resolve.bind(selector);
  const one = selector instanceof selectors.NameSelector || selector instanceof selectors.IndexSelector;
  selector.resolve = (node: JSONPathNode) => {
    const children = one ? 0 : childCount(node.value, current.work);
    current.work.spend((1 + children) * (workPerNode + workPerLevel * node.location.length));
    return resolve(node);
  };
}

function meterExpression(expression: Expression, current: Meter): void {
  if (expression instanceof expressions.LogicalExpression) meterExpression(expression.expression, current);
  else if (expression instanceof expressions.PrefixExpression) meterExpression(expression.right, current);
  else if (expression instanceof expressions.InfixExpression) {
    meterExpression(expression.left, current);
    meterExpression(expression.right, current);
  } else if (expression instanceof expressions.FunctionExtension) {
    for (const argument of expression.args) meterExpression(argument, current);
  } else if (expression instanceof expressions.RelativeQuery || expression instanceof expressions.RootQuery) {
    meterQuery(expression.path, current);
    meterOperand(expression, current);
  }
}

/** A comparison reads both values whole; `$..[?$.a == $.b]` does so for each node. */
function meterOperand(operand: Operand, current: Meter): void {
  const evaluate = operand.evaluate.bind(operand);
  operand.evaluate = (context) => {
    const nodes = evaluate(context);
    if (operand.path.singularQuery())
      for (const node of nodes.nodes) current.work.spendOn(node.value as JsonValue);
    return nodes;
  };
}

function childCount(value: unknown, work: WorkBudget): number {
  if (Array.isArray(value)) return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  const { length } = Object.keys(value);
  work.spend(costOfNames(length));
  return length;
}
