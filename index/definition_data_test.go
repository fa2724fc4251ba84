package index

import "testing"

func TestDefinitionsWeb(t *testing.T) {
	for _, path := range []string{"a.ts", "a.jsx", "a.vue"} {
		checkDefinitions(t, path, []definitionCase{
			{"export default async function load(id) {", "load"}, {"function* walk(tree) {", "walk"}, {"export const limit = 3;", "limit"},
			{"const total = (lines) => {", "total"}, {"  const inner = async () => {", "inner"}, {"export abstract class Cart extends Base {", "Cart"},
			{"  async load(id: string): Promise<Order> {", "load"}, {"  get size() {", "size"}, {"  static of(x) {", "of"}, {"  #secretly(x) {", "secretly"},
			{"  onClick: () => {", "onClick"}, {"  render: function () {", "render"}, {"exports.parse = function (s) {", "parse"},
			{"Cart.prototype.add = function (line) {", "add"}, {"export interface Order<T> {", "Order"}, {"type Id = string;", "Id"},
			{"  handle = (e) => {", "handle"}, {"  find(id: string): Order;", "find"}, {"export enum State {", "State"}, {"  Paid = \"paid\",", "Paid"},
			{"declare const VERSION: string;", "VERSION"}, {"  constructor(x) {", ""}, {"@Component({}) export class Page {", "Page"}, {"  @Input() name: string;", ""},
			{"  if (x) {", ""}, {"  for (const x of y) {", ""}, {"describe(\"x\", () => {", ""}, {"  it('x', function () {", ""}, {"  load(id);", ""},
			{"  return load(id);", ""}, {"import { x } from \"y\";", ""}, {"  Button,", ""}, {"  const x = 3;", ""}, {"  type: \"x\",", ""},
			{"  foo = bar;", ""}, {"  app.get('/x', async (req) => {", ""}, {"  switch (x) {", ""}, {"// function old() {", ""}, {"const { a, b } = x;", ""},
			{"  } catch (e) {", ""}, {"  xs.map((x) => x)", ""},
		})
	}
	checkDefinitions(t, "a.html", []definitionCase{
		{"  <h2 class=\"x\">Our orders</h2>", "Our orders"}, {"<form id=\"checkout\" action=\"/\">", "checkout"}, {"<title>Shop</title>", "Shop"},
		{"<p>text</p>", ""}, {"title text", ""}, {"</div>", ""},
	})
	checkDefinitions(t, "a.xsd", []definitionCase{
		{"  <xs:element name=\"order\" type=\"Order\"/>", "order"}, {"<?xml version=\"1.0\"?>", ""},
	})
	checkDefinitions(t, "a.scss", []definitionCase{
		{".button.primary:hover {", "button|primary"}, {"#main > .row,", "main|row"}, {"  --accent: #fff;", "accent"}, {"$gap: 4px;", "gap"},
		{"@mixin card($x) {", "card"}, {"@keyframes fade {", "fade"}, {"  color: #fff;", ""}, {"@media (min-width: 3px) {", ""}, {"  @include card;", ""},
		{"  transition: color .3s,", ""}, {"a {", ""},
	})
	checkDefinitions(t, "a.less", []definitionCase{{"@accent: #fff;", "accent"}, {"  .mixin();", ""}})
	checkDefinitions(t, "a.sass", []definitionCase{{".button", "button"}, {"=card", "card"}, {"  color: red", ""}})
}

func TestDefinitionsData(t *testing.T) {
	checkDefinitions(t, "a.sql", []definitionCase{
		{"CREATE TABLE IF NOT EXISTS shop.\"orders\" (", "orders"}, {"create or replace view paid_orders as", "paid_orders"},
		{"CREATE UNIQUE INDEX CONCURRENTLY orders_by_day ON orders (day);", "orders_by_day"}, {"create index on orders (x);", ""},
		{"CREATE OR REPLACE FUNCTION total(id int)", "total"}, {"CREATE TYPE `state` AS ENUM", "state"}, {"WITH recent AS (", "recent"}, {", late AS (", "late"},
		{"DROP TABLE orders;", ""}, {"ALTER TABLE orders ADD x int;", ""}, {"SELECT total(id) FROM orders", ""}, {"  type text,", ""}, {"-- create table x", ""},
	})
	checkDefinitions(t, "a.proto", []definitionCase{
		{"message Order {", "Order"}, {"  rpc Find(FindRequest) returns (Order);", "Find"}, {"service Orders {", "Orders"}, {"  enum State {", "State"},
		{"  string id = 1;", ""}, {"import \"x.proto\";", ""}, {"package shop.v1;", ""},
	})
	checkDefinitions(t, "a.graphql", []definitionCase{
		{"type Order implements Node {", "Order"}, {"extend type Query {", "Query"}, {"query FindOrder($id: ID!) {", "FindOrder"}, {"scalar Date", "Date"}, {"  id: ID!", ""}, {"schema {", ""},
	})
	checkDefinitions(t, "a.thrift", []definitionCase{
		{"struct Order {", "Order"}, {"typedef i64 OrderId", "OrderId"}, {"const i32 LIMIT = 3", "LIMIT"}, {"  1: string id", ""},
	})
	checkDefinitions(t, "a.tf", []definitionCase{
		{"resource \"aws_s3_bucket\" \"logs\" {", "aws_s3_bucket|logs"}, {"variable \"region\" {", "region"}, {"  source = \"x\"", ""}, {"locals {", ""},
	})
	checkDefinitions(t, "a.nix", []definitionCase{{"  version = \"1\";", "version"}, {"  inherit x;", ""}, {"in", ""}})
	checkDefinitions(t, "a.cmake", []definitionCase{
		{"add_library(orders STATIC a.c)", "orders"}, {"FUNCTION(build_all name)", "build_all"}, {"set(LIMIT 3)", "LIMIT"}, {"endif()", ""}, {"target_link_libraries(orders x)", ""},
	})
	checkDefinitions(t, "Makefile", []definitionCase{
		{"build test: deps", "build|test"}, {"LIMIT := 3", "LIMIT"}, {"export GO ?= go", "GO"}, {"define RULE", "RULE"}, {"bin/tool: main.go", "bin/tool"},
		{".PHONY: build", ""}, {"\tgo build ./...", ""}, {"%.o: %.c", ""}, {"ifeq ($(X),y)", ""}, {"# x: y", ""}, {"$(BIN): x", ""},
	})
	checkDefinitions(t, "justfile", []definitionCase{{"build target='all': deps", "build"}, {"limit := \"3\"", "limit"}, {"    go build", ""}})
	checkDefinitions(t, "Dockerfile", []definitionCase{
		{"FROM golang:1.26 AS build", "build"}, {"ARG VERSION=1", "VERSION"}, {"ENV MODE=fast", "MODE"}, {"RUN make", ""}, {"FROM scratch", ""}, {"# FROM x AS y", ""},
	})
	checkDefinitions(t, "BUILD", []definitionCase{{"    name = \"orders_test\",", "orders_test"}, {"def macro(name):", "macro"}, {"go_library(", ""}})
}

func TestDefinitionsConfiguration(t *testing.T) {
	checkDefinitions(t, "a.json", []definitionCase{{"  \"retry-limit\": 3,", "retry-limit"}, {"  \"x\"", ""}, {"{", ""}, {"  3,", ""}})
	checkDefinitions(t, "a.yaml", []definitionCase{
		{"retries: 3", "retries"}, {"  - name: build", "name"}, {"\"quoted key\": x", "quoted key"}, {"server:", "server"}, {"a.b/c: x", "a.b/c"},
		{"- item", ""}, {"# x: y", ""}, {"http://x", ""}, {"some words here: no key", ""}, {"---", ""},
	})
	checkDefinitions(t, "a.toml", []definitionCase{
		{"[package.metadata]", "package.metadata"}, {"[[bin]]", "bin"}, {"retry-limit = 3", "retry-limit"}, {"\"a b\" = 3", "a b"}, {"# x = 3", ""}, {"  3,", ""},
	})
	checkDefinitions(t, "a.properties", []definitionCase{{"server.port=8080", "server.port"}, {"server.host: x", "server.host"}, {"! note=x", ""}})
	checkDefinitions(t, "README.md", []definitionCase{
		{"# Order service", "Order service"}, {"## 库存同步 ##", "库存同步"}, {"### C#", "C#"}, {"#hashtag", ""}, {"text # x", ""}, {"####### seven", ""}, {"#", ""},
	})
	checkDefinitions(t, "a.rst", []definitionCase{{".. _deploy-guide:", "deploy-guide"}, {".. py:function:: shop.total(lines)", "total"}, {".. note:: x", ""}, {"function foo", ""}, {"Title", ""}})
	checkDefinitions(t, "a.adoc", []definitionCase{{"== Orders", "Orders"}, {"====", ""}, {"text", ""}})
	checkDefinitions(t, "a.org", []definitionCase{{"** Orders", "Orders"}, {"*bold*", ""}})
}
